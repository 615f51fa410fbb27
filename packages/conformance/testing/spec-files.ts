/**
 * Generates files from `docs/spec/rules.json`: the sentences that the kit prints, and the vectors beside the
 * rules. `npm run spec` writes them; a test verifies that they are current.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { playedVector, type SpecVector } from './played-vector.ts'

/** A rule, with the members that are read here. */
export interface SpecRule {
  readonly id: string
  readonly profile: string
  readonly text: string
  readonly vectors?: readonly SpecVector[]
  readonly checks?: Readonly<Record<string, readonly string[]>>
}

const SPEC = new URL('../../../docs/spec/', import.meta.url)

/** The list of rules, in order, with its version. */
export interface SpecRules {
  readonly version: string
  readonly rules: readonly SpecRule[]
}

/** Reads and parses the file `docs/spec/rules.json`. */
export async function readRules(): Promise<SpecRules> {
  return JSON.parse(await readFile(new URL('rules.json', SPEC), 'utf8'))
}

/** Returns the digest of a version of the rules: of their ids and texts, in order. */
export function rulesDigest(rules: readonly SpecRule[]): string {
  const said = JSON.stringify(rules.map(({ id, text }) => [id, text]))
  return createHash('sha256').update(said).digest('hex').slice(0, 16)
}

/** Returns the required text of every generated file, by its URL. */
export function specFiles({ version, rules }: SpecRules): Map<string, string> {
  const sentences = { version, ...Object.fromEntries(rules.map(({ id, text }) => [id, text])) }
  const kinds = new Set(rules.flatMap(({ vectors = [] }) => vectors.map(({ kind }) => kind)))
  return new Map([
    [new URL('../src/spec/sentences.json', import.meta.url).href, `${JSON.stringify(sentences, null, 2)}\n`],
    ...[...kinds].map(
      (kind) => [new URL(`vectors/${kind}.json`, SPEC).href, vectorFile(kind, rules)] as const,
    ),
  ])
}

/** Returns all cases of a kind, one per line, each with its rule and the sentence of the rule. */
function vectorFile(kind: string, rules: readonly SpecRule[]): string {
  const cases = rules.flatMap(({ id, profile, text, vectors = [] }) =>
    vectors
      .filter((vector) => vector.kind === kind)
      .map((vector) => ({ rule: id, profile, sentence: text, ...playedVector(vector) })),
  )
  const lines = cases.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
  return `{\n  "protocol": "world/0.1",\n  "kind": ${JSON.stringify(kind)},\n  "cases": [\n${lines}\n  ]\n}\n`
}

if (import.meta.main)
  for (const [url, text] of specFiles(await readRules())) await writeFile(new URL(url), text)
