/** A source that has been looked at, and what its entities are called. */
import type { FileSource } from '../definition/definition.ts'
import { type Identity, identify } from './identify.ts'
import type { Survey } from './survey.ts'

/** What was seen of a source, with the type that its records have where they name none. */
export interface NamedSurvey {
  /** What the definition says of where it lies. */
  readonly where: Pick<FileSource, 'file'>
  /** The whole name of its type. */
  readonly type: string
  /** The name of the type without its prefix. */
  readonly name: string
  readonly survey: Survey
  readonly identity: Identity
}

/** What is known of a source before others are looked at. */
export function named(
  where: Pick<FileSource, 'file'>,
  prefix: string,
  name: string,
  survey: Survey,
): NamedSurvey {
  return { where, type: `${prefix}:${name}`, name, survey, identity: identify(survey, name) }
}
