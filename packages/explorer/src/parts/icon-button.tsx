/** A button that shows a sign in place of words. */
import type { ButtonHTMLAttributes } from 'preact'

/** The button; `label` says in words what it does. */
export function IconButton({
  label,
  class: name = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; class?: string }) {
  return <button type="button" class={`button icon-only ${name}`} aria-label={label} {...rest} />
}
