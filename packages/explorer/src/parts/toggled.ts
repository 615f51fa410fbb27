/** Choosing several of a list, one by one. */

/** The chosen ones with one more, or without it if it is among them. */
export function toggled(chosen: readonly string[], one: string): string[] {
  const others = chosen.filter((other) => other !== one)
  return others.length === chosen.length ? [...chosen, one] : others
}
