// The rig's declarations of its settings and of its reason codes.

/**
 * Returns the declarations in the form that the views use.
 *
 * @param {{settings: object[], codes: {code: string}[]}} report the answer of `GET /v1/declarations`
 * @returns {{settings: import("./settings.js").Declaration[], codes: Map<string, object>}}
 */
export function declarationsOf({ settings, codes }) {
  return {
    settings: settings.map((setting) => ({ range: "", ...setting })),
    codes: new Map(codes.map((facts) => [facts.code, facts])),
  };
}
