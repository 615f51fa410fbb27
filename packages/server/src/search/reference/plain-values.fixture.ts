/** The values of a plain document, and their order. */
import type { Operand, PropertyPath, ValueKind } from '../port/conditions.ts'
import { type PropertyValue, pathKey, type SearchDocument } from '../port/document.ts'

/** What values are compared as. */
export type Comparable = number | boolean | string

/** The kind that an operand names, and what it is compared as: a reference by its type and id. */
export function operandOf(operand: Operand): { readonly kind: ValueKind; readonly value: Comparable } {
  if (typeof operand === 'number') return { kind: 'number', value: operand }
  if (typeof operand === 'boolean') return { kind: 'boolean', value: operand }
  if (typeof operand === 'string') return { kind: 'text', value: operand }
  if ('instant' in operand) return { kind: 'instant', value: operand.instant }
  const { type, id } = operand.reference
  return { kind: 'reference', value: `${type} ${id}` }
}

/** Texts by their UTF-8 bytes, numbers by size, false before true. */
export function compare(left: Comparable, right: Comparable): number {
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Number(left) - Number(right)
}

/** The values that stand at a path, of any kind. */
export function valuesAt(
  { type, id, values = [] }: SearchDocument,
  property: PropertyPath,
): readonly PropertyValue[] {
  const path = pathKey(property)
  if (property === 'type') return [{ path, kind: 'text', value: type }]
  if (property === 'id') return [{ path, kind: 'text', value: id }]
  return values.filter((value) => value.path === path)
}

/** The different values of a kind at a path, ascending. */
export function ofKind(document: SearchDocument, property: PropertyPath, kind: ValueKind): Comparable[] {
  const found = new Set<Comparable>()
  for (const value of valuesAt(document, property)) {
    if (value.kind === 'unindexed' || value.kind === 'place' || value.kind !== kind) continue
    found.add(value.kind === 'reference' ? `${value.value.type} ${value.value.id}` : value.value)
  }
  return [...found].sort(compare)
}
