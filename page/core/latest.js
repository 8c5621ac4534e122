// The sending of values of which only the newest counts, such as a zoom that is being turned.

/** A sender that has one value on its way at a time, and drops those that a newer one replaced. */
export class LatestSender {
  #send;
  #onProblem;
  #waiting = [];
  #running;

  /**
   * @param {(value: any) => Promise<unknown>} send
   * @param {(error: Error) => void} onProblem
   */
  constructor(send, onProblem) {
    this.#send = send;
    this.#onProblem = onProblem;
  }

  /** Takes a value, which is sent at once or after the one that is on its way; ends when none is left. */
  offer(value) {
    this.#waiting = [value];
    this.#running ??= this.#sendAll();
    return this.#running;
  }

  async #sendAll() {
    while (this.#waiting.length) {
      const [next] = this.#waiting.splice(0);
      try {
        await this.#send(next);
      } catch (error) {
        this.#onProblem(error);
      }
    }
    this.#running = undefined;
  }
}
