/** What to do where nothing was loaded because the records of a source have no type, or no id. */
import type { ImportResult, Rejection } from '@worldwright/publish'
import { visible } from '@worldwright/serve/terminal'

/** Hears of every rejected record while an import runs. */
export interface NamingHint {
  note(rejection: Rejection): void
  /** A line for each source whose records were all rejected and lack the same; none where anything was loaded. */
  lines(result: Pick<ImportResult, 'types'>): string[]
}

/** Without a type nothing else is asked. */
const WANTED = ['/type', '/id'] as const

type Wanted = (typeof WANTED)[number]

/** A hint that has heard nothing yet. `wayOut` says what to do where a source has no ids. */
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
