/** Parses YAML strictly, and provides the line of each part of a document. */
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { createNodeReader, NodeFault, STRICT_YAML } from './yaml-value.ts'

/** Path to a part of a document, as keys and indexes. */
export type YamlPath = readonly (string | number)[]

/** Error for text that is not a single valid YAML document. */
export class YamlFault extends Error {
  override readonly name = 'YamlFault'
  readonly problems: readonly { readonly line: number; readonly message: string }[]

  constructor(problems: readonly { readonly line: number; readonly message: string }[]) {
    super(problems.map(({ line, message }) => `line ${line}: ${message}`).join('\n'))
    this.problems = problems
  }
}

/**
 * Parses a YAML 1.2 document, which may also be JSON. `lineOf` returns the line on which a part begins or, if the part is
 * missing, the line of its nearest ancestor. Repeated keys and unknown tags are faults.
 * @throws YamlFault
 */
export function parseYaml(text: string): { value: unknown; lineOf: (path: YamlPath) => number } {
  const lines = new LineCounter()
  const document = parseDocument(text, { ...STRICT_YAML, lineCounter: lines })
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    line: lines.linePos(pos[0]).line,
    message,
  }))
  if (problems.length > 0) throw new YamlFault(problems)
  try {
    const value = createNodeReader(document, { bytes: 0 })(document.contents)
    return { value, lineOf: (path) => lines.linePos(offsetOf(document, path)).line }
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    throw new YamlFault([{ line: lines.linePos(error.offset).line, message: error.message }])
  }
}

function offsetOf(document: Document, path: YamlPath): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(step),
      )
      if (!pair) return offset
      offset = startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = startOf(node) ?? offset
    } else return offset
  }
  return offset
}

function startOf(node: unknown): number | undefined {
  return (node as Node | undefined | null)?.range?.[0]
}
