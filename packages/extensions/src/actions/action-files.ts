/** Loads the action modules that an operator keeps in the folder `actions` beside a world's definition. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Action } from '@worldwright/core'
import type { CompileSchema } from '@worldwright/entities'
import { type ActionDefinition, defineAction } from './define-action.ts'

/** Name of the folder that contains the actions, relative to the world's folder. */
export const ACTIONS_FOLDER = 'actions'

/** Matches action modules, but not test or declaration files beside them. */
const MODULE = /^(?!.*\.(?:test|d)\.[jt]s$).+\.(?:js|mjs|ts|mts)$/

/** Thrown for a module that is not an action or fails to load. The message names the file. */
export class ActionFileFault extends Error {
  override readonly name = 'ActionFileFault'
}

/** Returns the absolute paths of a world's action modules, sorted, or an empty array if it has no folder `actions`. */
export async function actionFiles(folder: string): Promise<string[]> {
  const where = join(folder, ACTIONS_FOLDER)
  try {
    const entries = await readdir(where, { withFileTypes: true })
    const names = entries
      .filter((entry) => !entry.isDirectory() && MODULE.test(entry.name))
      .map(({ name }) => name)
    return names.sort().map((name) => join(where, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Loads modules, each with an {@link ActionDefinition} as its default export. A module that has changed since it was last
 * loaded is loaded again.
 * @throws ActionFileFault
 */
export async function loadActions(files: readonly string[], compile: CompileSchema): Promise<Action[]> {
  return Promise.all(files.map((file) => loadAction(file, compile)))
}

async function loadAction(file: string, compile: CompileSchema): Promise<Action> {
  try {
    // Node.js caches modules by URL, so a changed module needs a new URL.
    const { mtimeMs } = await stat(file)
    const module: { default?: ActionDefinition } = await import(
      `${pathToFileURL(file).href}?changed=${mtimeMs}`
    )
    if (typeof module.default !== 'object' || module.default === null)
      throw new TypeError('An action is what the module exports as default: an object')
    return defineAction(module.default, compile)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ActionFileFault(`${file} is no action. ${why}`, { cause })
  }
}
