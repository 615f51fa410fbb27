/** `world init`: a first definition, made from data. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import {
  DEFINITION_SCHEMA,
  findDefinition,
  SCHEMA_NAME,
  type Scaffold,
  scaffoldDefinition,
  sourceFromFile,
} from '@worldwright/server/publish'
import { Interrupted, type Io, UsageFault } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'

/** The flags of `world init`. */
export interface InitOptions {
  readonly prefix?: string
  readonly name?: string
}

/** Writes world.yaml and world.schema.json into the current folder, and says what was assumed. */
export async function init(file: string, options: InitOptions, io: Io): Promise<number> {
  const present = await findDefinition(io.cwd)
  if (present !== undefined)
    throw new UsageFault(`There is ${present} already. Nothing is ever written over it.`)
  if (options.prefix !== undefined && !/^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/.test(options.prefix))
    throw new UsageFault(`--prefix is lower-case letters and digits; this is ${options.prefix}`)
  const path = resolve(io.cwd, file)
  const { text, assumptions } = await proposal(path, options, io)
  await writeFile(resolve(io.cwd, 'world.yaml'), text, { flag: 'wx' })
  const schema = resolve(io.cwd, SCHEMA_NAME)
  if (!existsSync(schema)) await writeFile(schema, `${JSON.stringify(DEFINITION_SCHEMA, null, 2)}\n`)
  say(io, 'Wrote world.yaml, and world.schema.json for editors. Assumed:')
  for (const assumption of assumptions) say(io, `  ${assumption}`)
  say(io, 'Look it over, then: npx worldwright serve')
  return 0
}

/** A definition for a file. @throws Interrupted, also where a signal ended a pipe after some records had come */
async function proposal(path: string, options: InitOptions, io: Io): Promise<Scaffold> {
  try {
    const proposed = await scaffoldDefinition({
      source: await sourceFromFile(path, basename(path), { signal: io.signal }),
      file: relative(io.cwd, path).replaceAll('\\', '/'),
      ...options,
    })
    if (!io.signal.aborted) return proposed
  } catch (error) {
    // The signal may have caused the error.
    if (!io.signal.aborted) throw error
  }
  throw new Interrupted('Interrupted. Nothing was written.')
}
