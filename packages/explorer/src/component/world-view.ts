/** The web component `<world-view origin src>`, which shows a view or an entity of any world on any page. */
import { isWorldError, withMessage } from '@worldwright/client/functions'
import { element, said } from './element.ts'
import { partsFor } from './read.ts'
import { STYLE } from './style.ts'
import { textOf } from './values.ts'

/** Element that reads its world when it is connected and when an attribute changes, and stops when it is removed. */
class WorldView extends HTMLElement {
  static readonly observedAttributes = ['origin', 'src']
  readonly #root = this.attachShadow({ mode: 'open' })
  #reading = new AbortController()

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    this.#root.adoptedStyleSheets = [sheet]
  }

  async connectedCallback(): Promise<void> {
    this.#reading.abort()
    this.#reading = new AbortController()
    const { signal } = this.#reading
    this.#root.replaceChildren(element('p', { role: 'status' }, 'Loading…'))
    // Attributes that are set together are read once.
    await undefined
    const origin = this.getAttribute('origin') ?? ''
    if (signal.aborted) return
    const read = withMessage(() => partsFor(origin, this.getAttribute('src') ?? '', signal))
    const shown = await read.then(
      (parts) => element('article', { lang: 'en' }, ...parts),
      (error) => element('div', { role: 'alert' }, said(failureText(error)), said(textOf(origin))),
    )
    if (!signal.aborted) this.#root.replaceChildren(shown)
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.connectedCallback()
  }

  disconnectedCallback(): void {
    this.#reading.abort()
  }
}

/** Returns what failed, in the words of the world if it answered. */
function failureText(error: unknown): string {
  if (isWorldError(error) && error.code === 'network_error')
    return 'No answer. The world may be down, or let no other site read it (CORS).'
  return textOf(error instanceof Error ? error.message : String(error))
}

if (!customElements.get('world-view')) customElements.define('world-view', WorldView)
