/** Inputs of a first definition, and the writing of its file. */
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  definitionSchema,
  findDefinition,
  isServer,
  namedServer,
  SCHEMA_NAME,
  type ScaffoldTable,
  type Trial,
} from '@worldwright/publish'
import { count, type Io, UsageFault } from '@worldwright/serve/terminal'

/** Refuses a folder that has a definition. @throws UsageFault */
export async function refuseDefined(folder: string): Promise<void> {
  const present = await findDefinition(folder)
  if (present === undefined) return
  throw new UsageFault(`There is ${present} already. Nothing was written. Move it, or choose another folder.`)
}

/** Writes world.schema.json to a folder, and then world.yaml, which must not exist. */
export async function writeDefinition(folder: string, text: string): Promise<void> {
  const schema = resolve(folder, SCHEMA_NAME)
  if (!existsSync(schema)) await writeNew(schema, `${JSON.stringify(definitionSchema(), null, 2)}\n`)
  await writeNew(resolve(folder, 'world.yaml'), text)
}

/** Writes a file that must not exist, as a whole or not at all. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(text)
  } catch (error) {
    await rm(path)
    throw error
  } finally {
    await file.close()
  }
}

/** Advises to set the variable `name`, which stands for a URL with a password. */
export function toSetText(name: string): string {
  return `The URL holds a password, so world.yaml names $${name} in its place. Set ${name} to the URL.`
}

/** Returns a sentence with the numbers of a trial load. */
export function trialLine({ isSampled, loaded, rejected }: Trial): string {
  return `Tried it${isSampled ? ' with the sample' : ''}: ${count(loaded, 'record')} can be loaded, ${rejected === 0 ? 'none is' : `${rejected} would be`} rejected.`
}

/** Returns the paths of files, the addresses of servers, and their variables. @throws UsageFault for any other URL */
export function inputsOf(files: readonly string[], { cwd, env }: Pick<Io, 'cwd' | 'env'>) {
  let environment = env
  const toSet: string[] = []
  const paths = files.map((file) => {
    if (!isServer(file)) {
      const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(file)?.[0]
      if (scheme === undefined) return resolve(cwd, file)
      throw new UsageFault(
        `init reads files, and databases by postgres:// and mysql:// URLs, but no ${scheme}`,
      )
    }
    const named = namedServer(file, environment)
    environment = named.environment
    if (named.toSet !== undefined) toSet.push(named.toSet)
    return named.address
  })
  return { paths, environment, toSet }
}

/** Returns the path that the world is named after: the only file, the only named folder, or the current folder. */
export function calledOf(tables: readonly ScaffoldTable[], paths: readonly string[], cwd: string): string {
  const [first, ...others] = new Set(tables.map(({ file }) => file))
  if (first !== undefined && others.length === 0) return first
  return basename(paths.length === 1 ? (paths[0] ?? cwd) : cwd)
}
