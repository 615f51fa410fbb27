/** Internal links and safe external links. */
import type { ComponentChildren } from 'preact'
import { hrefOf, type Route } from '../navigation/route.ts'
import { words } from '../words/words.ts'
import { OutIcon } from './icons.tsx'
import { Safe } from './text.tsx'

/**
 * Link to a route. `isMain` marks the link that arrow keys focus in a search result. `isHere` marks the current route.
 * `isRepeated` takes it out of the tab order, if a link beside it has the same target.
 */
export function To(props: {
  route: Route
  class?: string
  isMain?: boolean
  isHere?: boolean
  isRepeated?: boolean | undefined
  children: ComponentChildren
}) {
  const { route, class: name, isMain, isHere, isRepeated, children } = props
  return (
    <a
      href={hrefOf(route)}
      class={name}
      data-main={isMain === true ? '' : undefined}
      tabIndex={isRepeated === true ? -1 : undefined}
      aria-current={isHere === true ? 'page' : undefined}
    >
      {children}
    </a>
  )
}

/** External link to a URL that has already been checked. It opens in a new window. */
export function Out({ href, text }: { href: string; text: string }) {
  const { newWindow } = words.value.app
  return (
    <a
      class="out"
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerpolicy="no-referrer"
    >
      <Safe text={text} />
      <OutIcon />
      <span class="hidden"> ({newWindow})</span>
    </a>
  )
}
