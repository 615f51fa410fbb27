/** Advice if nothing was loaded because the records of a source have no type, or no id. */
import type { ImportResult, Rejection } from '@worldwright/publish'
import { visible } from '@worldwright/serve/terminal'

/** Receives every rejected record while an import runs. */
export interface NamingHint {
  note(rejection: Rejection): void
  /** Returns a line per source whose records were all rejected for the same missing member; none if anything was loaded. */
  lines(result: Pick<ImportResult, 'types'>): string[]
}

/** In this order: without a type, nothing else matters. */
const WANTED = ['/type', '/id'] as const

type Wanted = (typeof WANTED)[number]

/** Creates an empty hint. `wayOut` returns advice for a source without ids. */
export function createNamingHint(wayOut: (source: string) => string): NamingHint {
  const sources = new Map<string, readonly Wanted[]>()
  const hintOf = (source: string, lacking: readonly Wanted[]): string[] => {
    const none = source === '-' ? 'No record' : `No record of ${source}`
    if (lacking.includes('/type')) return [visible(`${none} has a type: ${typeWayOut(source)}`)]
    return lacking.includes('/id') ? [visible(`${none} has an id. ${wayOut(source)}`)] : []
  }
  return {
    note({ source, faults }) {
      const lacks = (wanted: Wanted) =>
        faults.some(({ pointer, reason }) => pointer === wanted && reason === 'required')
      sources.set(source, (sources.get(source) ?? WANTED).filter(lacks))
    },
    lines: ({ types }) =>
      types.length > 0 ? [] : [...sources].flatMap(([source, lacking]) => hintOf(source, lacking)),
  }
}

function typeWayOut(source: string): string {
  const mapping = source === '-' ? '' : `, or make a mapping with: npx worldwright init ${source}`
  return `say --type prefix:name${mapping}`
}
