/** Links within the page, and safe ones out of it. */
import type { ComponentChildren } from 'preact'
import { hrefOf, type Route } from '../navigation/route.ts'
import { words } from '../words/words.ts'
import { OutIcon } from './icons.tsx'
import { Safe } from './text.tsx'

/** A link to another state of the page. `isMain`: the link of a result for the arrow keys; `isHere`: to the current state. */
export function To(props: {
  route: Route
  class?: string
  isMain?: boolean
  isHere?: boolean
  children: ComponentChildren
}) {
  const { route, class: name, isMain, isHere, children } = props
  return (
    <a
      href={hrefOf(route)}
      class={name}
      data-main={isMain === true ? '' : undefined}
      aria-current={isHere === true ? 'page' : undefined}
    >
      {children}
    </a>
  )
}

/** A link out of the page, to an address that was checked; its text is the address itself. */
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
