/** Reads the definition of a world, the file in which its author describes the world and names its sources. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pointerTo } from '@worldwright/client/protocol'
import type { TypeDefinition } from '@worldwright/entities/types'
import type { Look } from '@worldwright/extensions/pages'
import type { Webhook } from '@worldwright/extensions/webhooks'
import type { FileOptions } from '../formats/contract/format.ts'
import { parseYaml, YamlFault, type YamlPath } from '../formats/yaml/yaml-text.ts'
import type { Join, Mapping } from '../mapping/mapping.ts'
import type { LookDefinition } from './accent.ts'
import { definitionFaults } from './definition-checks.ts'
import type { SearchDefinition } from './search-synonyms.ts'
import type { DefinedSettings } from './settings.ts'

/** Definition of a world. Its settings can also be set in the environment and on the command line. */
export interface WorldDefinition extends DefinedSettings {
  /** World id, an absolute URI. If absent, one is generated and kept in the store. */
  readonly id?: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Data license, as a URL or an SPDX identifier. */
  readonly license?: string | undefined
  /** Attribution that users of the data must give. */
  readonly attribution?: string | undefined
  readonly types: readonly TypeDefinition[]
  readonly sources: readonly Source[]
  /** Texts that mean an empty cell in sources without a list of their own. */
  readonly missing?: readonly string[]
  readonly search?: SearchDefinition
  /** Folder of the attachments that entities name, relative to the definition's folder. */
  readonly attachments?: string
  readonly look?: LookDefinition
  readonly tiles?: Look['tiles']
  /** Receivers of changes. A secret is `$NAME`, the environment variable that contains it. */
  readonly webhooks?: readonly (Omit<Webhook, 'keys'> & { readonly secret: string })[]
}

/** A source of records, with the mapping from columns to entities. */
export type Source = FileSource | DatabaseSource

/** A joined file, with the options for reading it. */
export type FileJoin = Join & FileOptions

/** A data file of a world, or a folder of such files. */
export interface FileSource extends Mapping, FileOptions {
  /** Path of the file or folder, relative to the definition's folder. */
  readonly file: string
  /** Default type, for records that do not name one. */
  readonly type?: string
  readonly join?: readonly FileJoin[]
}

/** A database table or query. Exactly one of `sqlite`, `postgres` and `mysql` names the database. */
export interface DatabaseSource extends Mapping {
  /** Path of a SQLite file, relative to the definition's folder. */
  readonly sqlite?: string
  /** URL without a password, or `$NAME` for the environment variable that contains the URL. */
  readonly postgres?: string
  /** Address in the same form as `postgres`. */
  readonly mysql?: string
  readonly table?: string
  readonly query?: string
  /** Default type, for records that do not name one. */
  readonly type?: string
  /** Refresh interval while the world is served: a number followed by `s`, `m`, `h` or `d`. */
  readonly refresh?: string
  readonly join?: readonly FileJoin[]
}

/** A definition and the file from which it was read. */
export interface DefinitionFile {
  readonly definition: WorldDefinition
  /** Absolute path of the definition. */
  readonly file: string
  /** Absolute path of the folder to which paths in the definition are relative. */
  readonly folder: string
}

/**
 * A problem in a definition. `pointer` is a JSON Pointer (RFC 6901), and `line` counts from 1. If `line` is absent, the
 * problem concerns the file or folder as a whole.
 */
export interface DefinitionProblem {
  readonly file: string
  readonly line?: number
  readonly pointer: string
  readonly message: string
}

/** Maximum number of problems listed in a message. */
const SHOWN_PROBLEMS = 20

/** Thrown for an invalid definition, with all its problems. The message lists the first twenty. */
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

/** File names of a definition. JSON is parsed as YAML, of which it is a subset. */
const DEFINITION_NAMES = ['world.yaml', 'world.yml', 'world.json'] as const

/** Returns the definition of a world without a definition file. */
export function emptyDefinition(): WorldDefinition {
  return { types: [], sources: [] }
}

/**
 * Returns `path` if it is a file. If it is a folder, returns the path of the definition in it, or undefined if it has none.
 * @throws DefinitionFault if there is no such file or folder, or if a folder has more than one definition
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
 * Reads and checks the definition at `path`, a file or a folder that contains world.yaml, world.yml or world.json.
 * @throws DefinitionFault with all problems
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
 * Parses and checks a definition in YAML or JSON. Problems refer to it as `file`.
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

/** Returns the text of a problem in a definition that was read before, with its line unless the file has changed. */
export async function problemIn(file: string, path: YamlPath, message: string): Promise<string> {
  const text = readFile(file, 'utf8')
  const line = await text.then((read) => parseYaml(read).lineOf(path)).catch(() => undefined)
  return problemText({ file, ...(line && { line }), pointer: path.reduce<string>(pointerTo, ''), message })
}

function problemText({ file, line, pointer, message }: DefinitionProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${pointer && `${pointer} `}${message}`
}
