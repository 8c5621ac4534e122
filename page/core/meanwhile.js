// The values that come while an answer is on its way, which the answer may not know yet.

export class Meanwhile {
  /** The values for each answer that is on its way. */
  #waiting = new Set();

  /** Adds a value for each answer that is on its way. */
  add(value) {
    for (const values of this.#waiting) values.push(value);
  }

  /**
   * Waits for an answer.
   *
   * @template T
   * @param {Promise<T>} answer
   * @returns {Promise<[T, any[]]>} the answer, and the values that came meanwhile
   */
  async during(answer) {
    const values = [];
    this.#waiting.add(values);
    try {
      return [await answer, values];
    } finally {
      this.#waiting.delete(values);
    }
  }
}
