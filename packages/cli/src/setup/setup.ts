/** State of a world that is set up: its inputs, the corrections of a person, and the definition proposed from both. */
import { randomUUID } from 'node:crypto'
import { createMemoryStore } from '@worldwright/core/store'
import {
  proposeDefinition,
  type Scaffold,
  type ScaffoldTable,
  type SurveyedTables,
  scaffoldTables,
  surveyTables,
  type TableChoice,
} from '@worldwright/publish'
import { type Io, UsageFault } from '@worldwright/serve/terminal'
import { calledOf, inputsOf } from './inputs.ts'

/** A world that is set up in the folder `cwd`. */
export interface Setup extends Pick<Io, 'cwd' | 'env' | 'signal'> {
  /** Files and addresses, without passwords, in the order in which they were added. */
  readonly paths: readonly string[]
  readonly tables: readonly ScaffoldTable[]
  /** Names of variables in `env` that hold URLs with passwords. */
  readonly toSet: readonly string[]
  readonly surveyed?: SurveyedTables
  /** Name of the survey of `shown`, for forms about it. */
  readonly survey?: string | undefined
  /** Corrections of the tables of `shown`, and the name of the world. */
  readonly choices?: readonly TableChoice[]
  readonly name?: string | undefined
  /** Last proposal that could be made. */
  readonly shown?: Scaffold
  /** Set once world.yaml is written. */
  readonly isWritten?: true
}

/** Returns a setup without inputs. */
export function emptySetup({ cwd, env, signal }: Pick<Io, 'cwd' | 'env' | 'signal'>): Setup {
  return { cwd, env, signal, paths: [], tables: [], toSet: [] }
}

/** Adds a file, a folder or a database, of which `only` some tables, and proposes. @throws as `world init` does */
export async function withInput(setup: Setup, given: string, only?: readonly string[]): Promise<Setup> {
  const { surveyed: _, ...before } = setup
  const { paths, environment, toSet } = inputsOf([given], setup)
  const all = await scaffoldTables({ paths, environment, folder: setup.cwd, signal: setup.signal, only })
  const added = new Set(setup.tables.map(({ source }) => JSON.stringify(source)))
  const found = all.filter(({ source }) => !added.has(JSON.stringify(source)))
  if (found.length === 0) throw new UsageFault(`${paths} is added already.`)
  if (found.some(({ isReadAgain }) => !isReadAgain))
    throw new UsageFault('A pipe can be read only once. Name a file.')
  return withProposal({
    ...before,
    env: environment,
    paths: [...new Set([...setup.paths, ...paths])],
    tables: [...setup.tables, ...found],
    toSet: [...new Set([...setup.toSet, ...toSet])],
  })
}

/** Proposes a definition from all inputs with the corrections. @throws SourceFault or DefinitionFault */
export async function withProposal(setup: Setup): Promise<Setup> {
  const { cwd: folder, tables, paths, name, env: environment, signal } = setup
  const called = calledOf(tables, paths, folder)
  const input = { tables, folder, called, name, environment, signal, store: createMemoryStore() }
  const surveyed = setup.surveyed ?? (await surveyTables(input))
  const survey = setup.surveyed ? setup.survey : randomUUID()
  return { ...setup, surveyed, survey, shown: await proposeDefinition(surveyed, input, setup.choices) }
}
