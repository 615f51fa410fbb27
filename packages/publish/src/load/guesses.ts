/** Rejections of records that contradict what was guessed from a sample of their source. */
import type { Rejection } from './events.ts'
import type { ImportSource } from './options.ts'

const ID =
  '; the id was guessed from a sample of the source: name other columns as its id, or say id: {row: number}'
const TYPE =
  '; this was guessed from a sample of the source: change the schema of the type, such as to type: string, or the form in cells'

/** Returns the names of sources whose mapping was guessed from a sample. */
export function guessedSources(sources: readonly ImportSource[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ source, mapping }) => (mapping?.sampled ? source.name : [])))
}

/** Adds to faults of members, but not of whole records, that a guess may be wrong and how to change it. */
export function withGuesses(rejection: Rejection): Rejection {
  const faults = rejection.faults.map((fault) => {
    if (fault.pointer === '') return fault
    return { ...fault, message: `${fault.message}${fault.pointer === '/id' ? ID : TYPE}` }
  })
  return { ...rejection, faults }
}
