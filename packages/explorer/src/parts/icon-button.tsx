/** A button with an icon instead of words. */
import type { ButtonHTMLAttributes } from 'preact'

/** The button; `label` describes it in words. */
export function IconButton({
  label,
  class: name = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; class?: string }) {
  return <button type="button" class={`button icon-only ${name}`} aria-label={label} {...rest} />
}
