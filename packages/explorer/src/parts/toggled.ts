/** Selects several items of a list, one by one. */

/** Returns the selection with one more item, or without it if it was selected. */
export function toggled(chosen: readonly string[], one: string): string[] {
  const others = chosen.filter((other) => other !== one)
  return others.length === chosen.length ? [...chosen, one] : others
}
