/** Advice for an import that loaded nothing because no record of a source has a type or an id. */
import type { ImportResult, Rejection } from '@worldwright/publish'
import { shellWord, visible } from '@worldwright/serve/terminal'

/** Collects the rejected records of an import. */
export interface NamingHint {
  note(rejection: Rejection): void
  /** Returns one line per source whose records all lack the same member, or an empty array if anything was loaded. */
  lines(result: Pick<ImportResult, 'types'>): string[]
}

/** JSON pointers of the members that a record needs. If both are missing, only the type is reported. */
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
  const mapping = source === '-' ? '' : `, or make a mapping with: npx worldwright init ${shellWord(source)}`
  return `say --type prefix:name${mapping}`
}
