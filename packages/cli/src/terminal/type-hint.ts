/** What to do where nothing was loaded because the records of a source have no type. */
import type { ImportResult, Rejection } from '@worldwright/server'
import { visible } from './visible.ts'

/** Hears of every rejected record while an import runs. */
export interface TypeHint {
  note(rejection: Rejection): void
  /** A line for each source whose records were all rejected and have no type; none where anything was loaded. */
  lines(result: Pick<ImportResult, 'types'>): string[]
}

/** A hint that has heard nothing yet. */
export function createTypeHint(): TypeHint {
  const sources = new Map<string, boolean>()
  return {
    note({ source, faults }) {
      const isUntyped = faults.some(({ pointer, reason }) => pointer === '/type' && reason === 'required')
      sources.set(source, isUntyped && sources.get(source) !== false)
    },
    lines: ({ types }) =>
      types.length > 0 ? [] : [...sources].filter(([, isUntyped]) => isUntyped).map(([name]) => hintOf(name)),
  }
}

function hintOf(source: string): string {
  if (source === '-') return 'No record has a type: say --type prefix:name'
  return visible(
    `No record of ${source} has a type: say --type prefix:name, or make a mapping with: npx worldwright init ${source}`,
  )
}
