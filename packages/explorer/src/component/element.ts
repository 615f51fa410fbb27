/** Creates the elements of a component. */

/** Part of an element. Absent parts are left out. */
export type Part = Node | string | undefined | false

const SVG = new Set(['svg', 'path', 'rect', 'circle', 'title'])

/** Returns an element of HTML or SVG. Texts become text nodes, so nothing is parsed as markup. */
export function element(tag: string, attributes: Record<string, string | number>, ...parts: Part[]): Node {
  const space = SVG.has(tag) ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml'
  const made = document.createElementNS(space, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, `${value}`)
  made.append(...parts.filter((part) => part !== undefined && part !== false))
  return made
}

/** Returns a sentence as a paragraph. */
export function said(text: string): Node {
  return element('p', { dir: 'auto' }, text)
}

/** Returns a table that the keyboard can scroll. The first `named` cells of a row are its headers. */
export function table(
  label: string,
  heads: readonly string[],
  rows: readonly Part[][][],
  isNumber: (at: number) => boolean,
  named = 1,
): Node {
  const classOf = (at: number) => isNumber(at) && { class: 'number' }
  const head = heads.map((text, at) => element('th', { scope: 'col', dir: 'auto', ...classOf(at) }, text))
  const body = rows.map((cells) => {
    const own = cells.map((parts, at) =>
      at < named
        ? element('th', { scope: 'row' }, ...parts)
        : element('td', { dir: 'auto', ...classOf(at) }, ...parts),
    )
    return element('tr', {}, ...own)
  })
  const all = [element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)]
  return element('div', { role: 'region', tabindex: 0, 'aria-label': label }, element('table', {}, ...all))
}
