/** Converts YAML nodes to JSON values, expanding aliases. */
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

/** Error for a fault in a node, with the node's offset in the text. */
export class NodeFault extends Error {
  override readonly name = 'NodeFault'
  readonly offset: number

  constructor(message: string, node: unknown) {
    super(message)
    this.offset = (node as Node | null)?.range?.[0] ?? 0
  }
}

/** Parser options for all YAML. Repeated keys and syntax that YAML 1.2 forbids are errors with offsets. */
export const STRICT_YAML = { prettyErrors: false, uniqueKeys: true, strict: true } as const

/** Maximum nesting depth, the same as for JSON text. */
const MAX_DEPTH = 128

/** Number of decimal digits that every double preserves. */
const SAFE_DIGITS = 15

/** Pattern of numbers in plain notation. `4.0` matches as the number 4, but `1.10` does not, since it may be a version. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.0|\.\d*[1-9])?$/

/**
 * Converts a plain scalar in data as YAML does, but keeps as text any number that would not round-trip. Examples are a phone
 * number with `+`, a code with leading zeros, `12E4`, a version `1.10`, and a long digit string.
 */
export function dataValue({ value, source }: Scalar): JsonValue {
  if (typeof value !== 'number' || source === undefined) return value as JsonValue
  const isPlain =
    PLAIN_NUMBER.test(source) && !Object.is(value, -0) && source.replace(/\D/g, '').length <= SAFE_DIGITS
  return isPlain ? value : source
}

/** Maximum number of bytes to which the aliases in YAML text may expand in total. Nested aliases expand exponentially. */
const MAX_ALIASED_BYTES = 64 * 1024 * 1024

/** Number of bytes counted per node in addition to its text. */
const NODE_BYTES = 16

/** Function that converts a node to a JSON value, and counts the bytes to which aliases expand. */
export type NodeReader = (node: unknown) => JsonValue

/**
 * Creates a reader for the nodes of a document. `aliased` is the count shared by all documents of the text; `scalarValue`
 * converts plain scalars, by default as YAML does. The reader throws NodeFault for an alias without a preceding anchor or
 * inside its own target, aliases that expand beyond the limit, nesting deeper than 128 levels, and a key that is not a
 * scalar or repeats another key as text.
 */
export function createNodeReader(
  document: Document,
  aliased: { bytes: number },
  scalarValue: (scalar: Scalar) => JsonValue = ({ value }) => value as JsonValue,
): NodeReader {
  const targets = targetsOf(document)
  const open = new Set<unknown>()

  /** Converts a node. `through` is the outermost alias that leads to it. */
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

/** Maps each alias to its target, the last preceding node with that anchor. */
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
