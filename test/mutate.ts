/**
 * Module for `--import`. If the environment variable `MUTANT` names a fault, puts it into the code as the code is loaded.
 * Changes no file.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MUTANTS, mutated } from './mutants.ts'
import { ROOT } from './source-files.ts'

const name = process.env['MUTANT']
if (name !== undefined) {
  const mutant = MUTANTS.find(({ fault }) => fault === name)
  if (mutant === undefined) throw new Error(`There is no mutant with this fault: ${name}`)
  const path = join(ROOT, mutant.file)
  const source = mutated(readFileSync(path, 'utf8'), mutant)
  const { href } = pathToFileURL(path)
  registerHooks({
    load: (url, context, nextLoad) =>
      url === href ? { format: 'module-typescript', source, shortCircuit: true } : nextLoad(url, context),
  })
}
