/** A source that has been looked at, and what its entities are called. */
import { type Identity, identify } from './identify.ts'
import type { Survey } from './survey.ts'
import type { ScaffoldTable } from './tables.ts'

/** What was seen of a source, with the type that its records have where they name none. */
export interface NamedSurvey {
  readonly table: ScaffoldTable
  /** The encoding of a text that is not UTF-8, and a word that shows it. */
  readonly how: { readonly encoding?: string; readonly shown?: string | undefined }
  /** The whole name of its type. */
  readonly type: string
  /** The name of the type without its prefix. */
  readonly name: string
  readonly survey: Survey
  readonly identity: Identity
}

/** What is known of a source before others are looked at. */
export function named(
  table: ScaffoldTable,
  how: NamedSurvey['how'],
  prefix: string,
  name: string,
  survey: Survey,
): NamedSurvey {
  const identity = identify(survey, name, table.key)
  return { table, how, type: `${prefix}:${name}`, name, survey, identity }
}
