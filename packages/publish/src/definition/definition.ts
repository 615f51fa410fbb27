/** A world's definition: the file in which its author says what the world is and where its data lies. */
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

/** What an author says about a world. Settings have the same names here, in the environment and on the command line. */
export interface WorldDefinition extends DefinedSettings {
  /** An absolute URI. Absent: one is made up and kept in the store. */
  readonly id?: string
  readonly name?: string
  readonly description?: string
  /** Under which terms the data may be used: a URL, or an identifier of the SPDX list. */
  readonly license?: string
  /** Whom to name where the data are used. */
  readonly attribution?: string
  readonly types: readonly TypeDefinition[]
  readonly sources: readonly Source[]
  readonly search?: SearchDefinition
  /** The folder of the files that entities name as their attachments, relative to the definition's folder. */
  readonly attachments?: string
}

/** Where records come from, and how their columns become entities. */
export type Source = FileSource | DatabaseSource

/** A data file of a world, or a folder of such files. */
export interface FileSource extends Mapping, FileOptions {
  /** Relative to the definition's folder. */
  readonly file: string
  /** The type of records that name none. */
  readonly type?: string
}

/** A table or query of a database; just one of the three says which. */
export interface DatabaseSource extends Mapping {
  /** A file, relative to the definition's folder. */
  readonly sqlite?: string
  /** A URL without a password, or `$NAME`: the environment variable that holds one. */
  readonly postgres?: string
  /** As `postgres`. */
  readonly mysql?: string
  readonly table?: string
  readonly query?: string
  /** The type of records that name none. */
  readonly type?: string
  /** How often it is read again while it is served: a number and `s`, `m`, `h` or `d`. */
  readonly refresh?: string
}

/** A definition and where it was read from. */
export interface DefinitionFile {
  readonly definition: WorldDefinition
  /** Absolute. */
  readonly file: string
  /** Absolute; what paths in the definition are relative to. */
  readonly folder: string
}

/**
 * One thing wrong with a definition; `pointer` is RFC 6901, `line` counts from 1. Without `line` it is of the file or
 * folder as a whole.
 */
export interface DefinitionProblem {
  readonly file: string
  readonly line?: number
  readonly pointer: string
  readonly message: string
}

/** How many problems a message lists. */
const SHOWN_PROBLEMS = 20

/** A definition that cannot be used, with everything that is wrong with it; the message lists the first twenty. */
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

/** The names a definition has in its folder; JSON is YAML, too. */
const DEFINITION_NAMES = ['world.yaml', 'world.yml', 'world.json'] as const

/** The definition of a world whose author says nothing about it. */
export function emptyDefinition(): WorldDefinition {
  return { types: [], sources: [] }
}

/**
 * Where the definition at `path` is: the file itself, or the one in that folder; undefined if a folder has none.
 * @throws DefinitionFault where there is no such file or folder, or where a folder has more than one definition.
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
 * @throws DefinitionFault with everything that is wrong with it.
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
 * The definition that a text holds, as YAML or JSON. `file` is what faults call it.
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
