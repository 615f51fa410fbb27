/** Folded units. None may be longer than `LONGEST`. */
const UNITS = new Set(
  (
    'kb mb gb tb mp px fps dpi hz khz mhz ghz v kv w kw mw mah db mm cm m km in inch ft yd g kg mg t oz lb lbs ml cl l ' +
    'mph kmh rpm min h hr ms k x'
  ).split(' '),
)
const LONGEST = 4

/** Reports whether `text[start, end)` is a unit of measure, so that `16 GB` is also found as `16GB`. */
export function isUnit(text: string, start: number, end: number): boolean {
  return end - start <= LONGEST && UNITS.has(text.slice(start, end))
}
