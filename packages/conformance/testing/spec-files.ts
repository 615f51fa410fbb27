/**
 * Generates files from `docs/spec/rules.json`: the sentences that the kit prints, and the vectors beside the
 * rules. `npm run spec` writes them; a test verifies that they are current.
 */
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

/** Reads the rules of `docs/spec/rules.json`, in their order. */
export async function readRules(): Promise<SpecRule[]> {
  return JSON.parse(await readFile(new URL('rules.json', SPEC), 'utf8')).rules
}

/** Returns the required text of every generated file, by its URL. */
export function specFiles(rules: readonly SpecRule[]): Map<string, string> {
  const sentences = Object.fromEntries(rules.map(({ id, text }) => [id, text]))
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
