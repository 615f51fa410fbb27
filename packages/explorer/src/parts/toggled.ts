/** Toggling of items in a selection. */

/** Returns the selection with `one` added at the end, or removed if it was selected. */
export function toggled(chosen: readonly string[], one: string): string[] {
  const others = chosen.filter((other) => other !== one)
  return others.length === chosen.length ? [...chosen, one] : others
}
