// The client of the rig's API: same-origin requests with the cookie of the sign-in.

/** A refusal or a failure, with the sentence that the API gives for it. */
export class Problem extends Error {
  /**
   * @param {number} status the HTTP status; 0 when there was no answer
   * @param {string} code the error's code
   * @param {string} sentence the sentence for people
   */
  constructor(status, code, sentence) {
    super(sentence);
    this.name = "Problem";
    this.status = status;
    this.code = code;
  }

  /** Whether the rig did not answer at all. */
  get isOffline() {
    return this.status === 0;
  }
}

/** The time in milliseconds for what is read, which is short. A network that is gone ends no connection by itself. */
export const READ_LIMIT = 60_000;

/** The sentence for a request without an answer. */
export const NO_ANSWER = "The rig does not answer.";

/**
 * Does work with a signal that ends with another one, or when the rig does not answer in time.
 *
 * @template T
 * @param {number} milliseconds the time for the work, or until it calls `begun`
 * @param {AbortSignal | undefined} signal ends the work
 * @param {(signal: AbortSignal, begun: () => void) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {Problem} when the time is over
 */
export async function within(milliseconds, signal, work) {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, milliseconds);
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  try {
    return await work(limit.signal, () => clearTimeout(timer));
  } catch (error) {
    if (!limit.signal.aborted || signal?.aborted) throw error;
    throw new Problem(0, "offline", NO_ANSWER);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** Returns the problem that an answer with an error describes. */
export async function problemOf(answer) {
  let error;
  try {
    error = (await answer.json()).error;
  } catch {
    error = undefined;
  }
  const message = error?.message ?? `The rig answered with the status ${answer.status}.`;
  return new Problem(answer.status, error?.code ?? "unknown", message);
}

/** Returns a path with its query; parameters that are undefined are left out. */
export function pathWithQuery(path, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = known.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
  return text ? `${path}?${text}` : path;
}

/** A client of the API. */
export class API {
  /**
   * @param {object} options
   * @param {typeof fetch} options.fetch the function that sends requests
   * @param {string} options.base the address of the page, to which all paths are relative
   * @param {() => void} [options.onSignedOut] called when the rig no longer knows the caller
   */
  constructor({ fetch, base, onSignedOut = () => {} }) {
    this.fetch = fetch;
    this.base = base;
    this.onSignedOut = onSignedOut;
  }

  /** Returns the address of a path. */
  address(path, query) {
    return new URL(pathWithQuery(path, query), this.base).href;
  }

  /**
   * Sends a request and returns the answer as it comes.
   *
   * @param {object} [options] `method`, `body`, `query`, `headers`, `signal`, and `accept`: statuses
   *   besides those of success that are no problem
   * @throws {Problem} for any other status, and when there is no answer
   */
  async request(path, { method = "GET", body, query, headers = {}, signal, accept = [] } = {}) {
    // The name that tells servers to ask no person for a password in a window of the browser.
    const sender = { "X-Requested-With": "platen" };
    const init = { method, headers: { ...sender, ...headers }, credentials: "same-origin", cache: "no-store" };
    if (signal) init.signal = signal;
    if (body !== undefined) {
      init.headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    let answer;
    try {
      answer = await this.fetch(this.address(path, query), init);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Problem(0, "offline", NO_ANSWER);
    }
    if (answer.ok || accept.includes(answer.status)) return answer;
    if (answer.status === 401 && path !== "v1/sign-in") this.onSignedOut();
    throw await problemOf(answer);
  }

  /** Sends a request and returns the JSON of the answer; undefined for an answer without a body. */
  async json(path, options) {
    const answer = await this.request(path, options);
    const text = await answer.text();
    return text ? JSON.parse(text) : undefined;
  }

  /** Reads a path; a rig that does not answer within a minute counts as offline. */
  get(path, query, signal) {
    return within(READ_LIMIT, signal, (limited) => this.json(path, { query, signal: limited }));
  }

  /** Lets the rig do something. */
  post(path, body, options = {}) {
    return this.json(path, { ...options, method: "POST", body });
  }

  /** Changes some keys. */
  patch(path, body) {
    return this.json(path, { method: "PATCH", body });
  }

  /** Deletes something. */
  delete(path, query) {
    return this.json(path, { method: "DELETE", query });
  }
}
