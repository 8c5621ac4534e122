# SPDX-License-Identifier: Apache-2.0
"""tuspyserver as its own documentation has it: uvicorn tusapp:app. UPLOADS is the folder of the uploads."""

import os

from fastapi import FastAPI
from tuspyserver import create_tus_router

app = FastAPI()
app.include_router(create_tus_router(files_dir=os.environ["UPLOADS"], prefix="files"))
