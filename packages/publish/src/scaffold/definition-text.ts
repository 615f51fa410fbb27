import { Document, isMap, isScalar, isSeq, visit } from 'yaml'
import type { Proposal } from './propose-source.ts'

/** Maximum width of a line, in characters. */
const WIDTH = 110

const HEAD = [
  ' yaml-language-server: $schema=./world.schema.json',
  ' A first definition, proposed from the data. Everything in it may be changed.',
].join('\n')

/**
 * Returns the text of a world.yaml: types by name, sources in order, flat collections on one line, `notes` as a comment.
 * `guessed` names the files of which only a sample was read.
 */
export function definitionText(
  name: string,
  proposals: readonly Proposal[],
  notes: readonly string[],
  guessed: readonly string[] = [],
): string {
  const types = new Map(proposals.flatMap((one) => one.types.map((type) => [type.type, type] as const)))
  const document = new Document({
    name,
    types: [...types.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    sources: proposals.map(({ source }) => source),
  })
  const said = guessed.map((file) => ` Guessed from a sample of ${file}; remove sampled: once it is checked.`)
  document.commentBefore = [HEAD, ...said].join('\n')
  if (notes.length > 0) document.comment = ['Assumed:', ...notes].map((note) => ` ${note}`).join('\n')
  visit(document, {
    Collection(_key, node) {
      const isLeaf = isMap(node)
        ? node.items.every(({ value }) => isScalar(value))
        : isSeq(node) && node.items.every(isScalar)
      if (isLeaf && node !== document.contents) node.flow = true
    },
  })
  return document.toString({ lineWidth: WIDTH, flowCollectionPadding: true })
}
