/** From the nodes of a YAML text to JSON values, with aliases replaced by what they stand for. */
import type { JsonValue } from '@worldwright/client/protocol'
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
} from 'yaml'

/** What is wrong with a node, and where in the text it stands. */
export class NodeFault extends Error {
  override readonly name = 'NodeFault'
  readonly offset: number

  constructor(message: string, node: unknown) {
    super(message)
    this.offset = (node as Node | null)?.range?.[0] ?? 0
  }
}

/** How YAML is parsed everywhere: repeated keys and what 1.2 does not allow are errors, with their offsets. */
export const STRICT_YAML = { prettyErrors: false, uniqueKeys: true, strict: true } as const

/** As deep as a JSON text may be. */
const MAX_DEPTH = 128

/** So many digits every double holds. */
const SAFE_DIGITS = 15

/** A number as people write one; `4.0` is one, but after `1.10` nothing could say that there was a zero. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.0|\.\d*[1-9])?$/

/**
 * What a plain value is in data: what YAML says, but for numbers that would not be written the same way again. A
 * telephone number with its `+`, a code with leading zeros, `12E4`, a version `1.10` and long digits stay text.
 */
export function dataValue({ value, source }: Scalar): JsonValue {
  if (typeof value !== 'number' || source === undefined) return value as JsonValue
  const isPlain =
    PLAIN_NUMBER.test(source) && !Object.is(value, -0) && source.replace(/\D/g, '').length <= SAFE_DIGITS
  return isPlain ? value : source
}

/** What all aliases of a text may stand for together. Aliases of aliases grow beyond all bounds in a few lines. */
const MAX_ALIASED_BYTES = 64 * 1024 * 1024

/** What a node takes besides its text. */
const NODE_BYTES = 16

/** Reads nodes of one text; it remembers how much its aliases have come to. */
export type NodeReader = (node: unknown) => JsonValue

/**
 * A reader for the nodes of a document. `aliased` counts for all documents of a text; `scalarValue` says what a plain
 * value is, if that is not what YAML says. It throws NodeFault for an alias
 * without an anchor before it, one that is part of what it stands for, more behind aliases than may be, nesting beyond
 * 128 levels, and a key that is no plain value or is there twice once it is text.
 */
export function createNodeReader(
  document: Document,
  aliased: { bytes: number },
  scalarValue: (scalar: Scalar) => JsonValue = ({ value }) => value as JsonValue,
): NodeReader {
  const targets = targetsOf(document)
  const open = new Set<unknown>()

  /** `through`: the alias in the text that leads here. */
  function read(node: unknown, depth: number, through: Alias | undefined): JsonValue {
    if (depth > MAX_DEPTH) throw new NodeFault(`nested deeper than ${MAX_DEPTH} levels`, node)
    if (isAlias(node)) return readAlias(node, depth, through ?? node)
    if (through) count(node, through)
    if (isScalar(node)) return scalarValue(node)
    if (isSeq(node)) return within(node, () => node.items.map((item) => read(item, depth + 1, through)))
    if (!isMap(node)) return null
    return within(node, () => {
      const members = new Map<string, JsonValue>()
      for (const { key, value } of node.items) {
        const name = keyOf(key)
        if (members.has(name)) throw new NodeFault(`the key ${JSON.stringify(name)} is there twice`, key)
        members.set(name, read(value, depth + 1, through))
      }
      return Object.fromEntries(members)
    })
  }

  function readAlias(alias: Alias, depth: number, through: Alias): JsonValue {
    const target = targets.get(alias)
    if (target === undefined)
      throw new NodeFault(`no anchor &${alias.source} stands before this alias`, alias)
    if (open.has(target))
      throw new NodeFault(`the alias *${alias.source} is part of what it stands for, without end`, alias)
    return read(target, depth, through)
  }

  function count(node: unknown, through: Alias): void {
    aliased.bytes += NODE_BYTES + (isScalar(node) && typeof node.value === 'string' ? node.value.length : 0)
    if (aliased.bytes <= MAX_ALIASED_BYTES) return
    throw new NodeFault(`what the aliases stand for is longer than ${MAX_ALIASED_BYTES} bytes`, through)
  }

  function within<T>(node: unknown, run: () => T): T {
    open.add(node)
    try {
      return run()
    } finally {
      open.delete(node)
    }
  }

  function keyOf(key: unknown): string {
    const node = isAlias(key) ? targets.get(key) : key
    const value = isScalar(node) ? node.value : node
    if (value === null) return ''
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return String(value)
    throw new NodeFault('a key is a plain value', key)
  }

  return (node) => read(node, 1, undefined)
}

/** What each alias stands for: the last node before it with its anchor. */
function targetsOf(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        if (target) targets.set(node, target)
      } else if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return targets
}
