import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { Icon } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined
  icon?: LucideIcon | undefined
  ref?: Ref<HTMLButtonElement> | undefined
}

export function Button({ look = 'plain', icon, className = '', children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button ${look} ${className}`} {...rest}>
      {icon && <Icon of={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: LucideIcon
  /** What it does, for the tooltip and for screen readers. */
  label: string
  /** The keys that do the same. */
  keys?: string | undefined
  ref?: Ref<HTMLButtonElement> | undefined
}

export function IconButton({ icon, label, keys, className = '', ...rest }: IconButtonProps) {
  const tip = keys ? (
    <>
      {label} <kbd>{keys}</kbd>
    </>
  ) : (
    label
  )
  return (
    <Tooltip text={tip}>
      <button type="button" className={`icon-button ${className}`} aria-label={label} {...rest}>
        <Icon of={icon} />
      </button>
    </Tooltip>
  )
}
