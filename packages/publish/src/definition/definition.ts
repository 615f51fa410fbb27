/** A world's definition: the file in which its author describes the world and names its sources. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pointerTo } from '@worldwright/client/protocol'
import type { TypeDefinition } from '@worldwright/entities/types'
import type { FileOptions } from '../formats/contract/format.ts'
import { parseYaml, YamlFault } from '../formats/yaml/yaml-text.ts'
import type { Mapping } from '../mapping/row-mapper.ts'
import { definitionFaults } from './definition-checks.ts'
import type { SearchDefinition } from './search-synonyms.ts'
import type { DefinedSettings } from './settings.ts'

/** The definition of a world. Settings have the same names here, in the environment and on the command line. */
export interface WorldDefinition extends DefinedSettings {
  /** An absolute URI. Absent: one is generated and kept in the store. */
  readonly id?: string
  readonly name?: string
  readonly description?: string
  /** Licence of the data: a URL, or an SPDX identifier. */
  readonly license?: string
  /** Credit that users of the data must give. */
  readonly attribution?: string
  readonly types: readonly TypeDefinition[]
  readonly sources: readonly Source[]
  readonly search?: SearchDefinition
  /** Folder of the attachments that entities name, relative to the definition's folder. */
  readonly attachments?: string
}

/** A source of records, with the mapping from columns to entities. */
export type Source = FileSource | DatabaseSource

/** A data file of a world, or a folder of such files. */
export interface FileSource extends Mapping, FileOptions {
  /** Relative to the definition's folder. */
  readonly file: string
  /** Type of the records that name none. */
  readonly type?: string
}

/** A table or query of a database; exactly one of `sqlite`, `postgres` and `mysql` names the database. */
export interface DatabaseSource extends Mapping {
  /** A file, relative to the definition's folder. */
  readonly sqlite?: string
  /** A URL without a password, or `$NAME`: the environment variable that holds the URL. */
  readonly postgres?: string
  /** As `postgres`. */
  readonly mysql?: string
  readonly table?: string
  readonly query?: string
  /** Type of the records that name none. */
  readonly type?: string
  /** Interval at which it is read again while being served: a number and `s`, `m`, `h` or `d`. */
  readonly refresh?: string
}

/** A definition and the file it was read from. */
export interface DefinitionFile {
  readonly definition: WorldDefinition
  /** Absolute. */
  readonly file: string
  /** Absolute; paths in the definition are relative to it. */
  readonly folder: string
}

/**
 * A problem in a definition; `pointer` is RFC 6901, `line` counts from 1. Without `line`, the problem concerns the file
 * or folder as a whole.
 */
export interface DefinitionProblem {
  readonly file: string
  readonly line?: number
  readonly pointer: string
  readonly message: string
}

/** Maximum number of problems in a message. */
const SHOWN_PROBLEMS = 20

/** A definition that cannot be used, with all its problems; the message lists the first twenty. */
export class DefinitionFault extends Error {
  override readonly name = 'DefinitionFault'
  readonly problems: readonly DefinitionProblem[]

  constructor(problems: readonly DefinitionProblem[]) {
    const shown = problems.slice(0, SHOWN_PROBLEMS).map(problemText)
    const more = problems.length - shown.length
    super([...shown, ...(more > 0 ? [`… and ${more.toLocaleString('en')} more`] : [])].join('\n'))
    this.problems = problems
  }
}

/** File names of a definition; JSON is also YAML. */
const DEFINITION_NAMES = ['world.yaml', 'world.yml', 'world.json'] as const

/** Returns the definition of a world whose author has written none. */
export function emptyDefinition(): WorldDefinition {
  return { types: [], sources: [] }
}

/**
 * Finds the definition at `path`: the file itself, or the one in that folder; undefined if a folder has none.
 * @throws DefinitionFault if there is no such file or folder, or if a folder has more than one definition.
 */
export async function findDefinition(path: string): Promise<string | undefined> {
  const state = await stat(path).catch(() => undefined)
  if (!state) throw faultOf(path, 'there is no such file or folder')
  if (!state.isDirectory()) return resolve(path)
  const present = new Set(await readdir(path))
  const names = DEFINITION_NAMES.filter((name) => present.has(name))
  if (names.length > 1)
    throw faultOf(path, `the folder has several definitions: ${names.join(', ')}; keep one`)
  return names[0] === undefined ? undefined : resolve(path, names[0])
}

/**
 * Reads and checks the definition at `path`: a folder holding world.yaml, world.yml or world.json, or such a file.
 * @throws DefinitionFault with all its problems.
 */
export async function readDefinition(path: string): Promise<DefinitionFile> {
  const file = await findDefinition(path)
  if (file === undefined) throw faultOf(path, `the folder has no ${DEFINITION_NAMES.join(' or ')}`)
  const bytes = await readFile(file).catch((cause: Error) => {
    throw faultOf(file, cause.message)
  })
  const definition = definitionFromText(bytes.toString('utf8'), file)
  return { definition, file, folder: dirname(file) }
}

/**
 * Parses and checks a definition in YAML or JSON. Faults name it `file`.
 * @throws DefinitionFault
 */
export function definitionFromText(text: string, file: string): WorldDefinition {
  try {
    const { value, lineOf } = parseYaml(text)
    const found = definitionFaults(value)
    if (found.length > 0) {
      throw new DefinitionFault(
        found.map(({ path, message }) => ({
          file,
          line: lineOf(path),
          pointer: path.reduce<string>(pointerTo, ''),
          message,
        })),
      )
    }
    return normal(value as Partial<WorldDefinition> & { sources?: (string | Source)[] })
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error
    throw new DefinitionFault(
      error.problems.map(({ line, message }) => ({ file, line, pointer: '', message })),
    )
  }
}

function normal(value: Partial<WorldDefinition> & { sources?: (string | Source)[] }): WorldDefinition {
  const sources = (value.sources ?? []).map((source) =>
    typeof source === 'string' ? { file: source } : source,
  )
  const { $schema: _, ...members } = value as typeof value & { $schema?: string }
  return { ...members, types: value.types ?? [], sources }
}

function faultOf(file: string, message: string): DefinitionFault {
  return new DefinitionFault([{ file, pointer: '', message }])
}

function problemText({ file, line, pointer, message }: DefinitionProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${pointer && `${pointer} `}${message}`
}
