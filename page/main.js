// The start of the page: who is there, and then the views.

import { API } from "./core/api.js";
import { Page } from "./views/page.js";

const base = new URL(".", document.baseURI).href;
const page = new Page(document, window, (onSignedOut) => new API({
  fetch: window.fetch.bind(window), base, onSignedOut,
}));
page.start();
