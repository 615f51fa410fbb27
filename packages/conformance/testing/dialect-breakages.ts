/** Ways to break a rule of any world, whatever its members are called. */
import { type Body, edit, type Kind, type Proof, page, refused, success, text } from './breakages.ts'
import type { Asked } from './reference-http.ts'

/** Members of an answer that hold arrays, none of them of entities. */
const BESIDE = /^(matched|hidden|errors|warnings|entityTypes)$/

/** Returns the object and the member in which the entities of an answer stand, whatever the member is called. */
function holder(body: Body): [Body, string] | undefined {
  const members = Object.entries(body).filter(([name]) => !BESIDE.test(name))
  const own = members.find(([, member]) => Array.isArray(member))
  if (own !== undefined) return [body, own[0]]
  for (const [, member] of members) {
    const found = typeof member === 'object' && member !== null ? holder(member as Body) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Changes the entities of a page, or of what the action found. */
export function entries(change: (entries: Body[], asked: Asked) => unknown[], kind = page): Proof {
  return edit(success(kind), (body, asked) => {
    const [inside, name] = holder(body) ?? [body, 'entities']
    inside[name] = change(inside[name] as Body[], asked)
  })
}

/** Changes the cursor of some pages. `cursor` is undefined or null on the last one; `earlier` are those before. */
export function cursors(
  change: (cursor: unknown, earlier: unknown[], asked: Asked) => unknown,
  kind = page,
): Proof {
  const earlier: unknown[] = []
  let names: string[] = ['nextCursor']
  return edit(kind, (body, asked) => {
    names = cursorIn(body) ?? names
    const last = names.at(-1) ?? ''
    const inside = names.slice(0, -1).reduce((value, name) => value[name] as Body, body)
    const changed = change(inside[last], earlier, asked)
    if (typeof inside[last] === 'string' && inside[last] !== '') earlier.push(inside[last])
    if (changed === undefined) delete inside[last]
    else inside[last] = changed
  })
}

function cursorIn(body: Body): string[] | undefined {
  for (const [name, member] of Object.entries(body)) {
    if (/^(next\w*|after|continuation|cursor)$/i.test(name)) return [name]
    const inner =
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? cursorIn(member as Body)
        : undefined
    if (inner !== undefined) return [name, ...inner]
  }
  return undefined
}

/** Changes the object with the code and the message of some refusals. */
export function refusals(change: (error: Body, asked: Asked) => void, kind = refused): Proof {
  return edit(
    (asked, told) => refused(asked, told) && kind(asked, told),
    (body, asked) => {
      const inner = body['error'] ?? (body['errors'] as unknown[] | undefined)?.[0] ?? body
      change(inner as Body, asked)
    },
  )
}

/** Writes one text for another where it stands first in an answer, as that of a type in its first entity. */
export function swapOnce(kind: Kind, [own, other]: readonly [string, string]): Proof {
  return text(kind, (json) => json.replace(`"${own}"`, `"${other}"`))
}
