#include "CLibcameraShim.h"
