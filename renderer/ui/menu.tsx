import { Content, Item, Portal, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { useFullScreen } from './use-full-screen.ts'

/** A line of a menu; null draws a rule. */
export type MenuItem = { text: string; icon?: LucideIcon; keys?: string; isDisabled?: boolean; onSelect: () => void } | null

export interface MenuProps {
  items: readonly MenuItem[]
  /** The button that opens it. */
  children: ReactNode
  align?: 'start' | 'end'
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

export function Menu({ items, children, align = 'end', isOpen, onOpenChange }: MenuProps) {
  const whole = useFullScreen()
  const control = isOpen === undefined ? {} : { open: isOpen }
  return (
    <Root modal={false} {...control} {...(onOpenChange && { onOpenChange })}>
      <Trigger asChild>{children}</Trigger>
      <Portal container={whole}>
        <Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          loop
          // What an item has opened keeps the focus; otherwise it goes back to the button.
          onCloseAutoFocus={(event) => document.activeElement !== document.body && event.preventDefault()}
        >
          {items.map((item, at) =>
            item === null ? (
              <Separator key={at} className="menu-rule" />
            ) : (
              <Item key={item.text} className="menu-item" disabled={item.isDisabled ?? false} onSelect={item.onSelect}>
                {item.icon ? <Icon of={item.icon} /> : <span className="menu-gap" />}
                <span className="grow">{item.text}</span>
                {item.keys && <kbd>{item.keys}</kbd>}
              </Item>
            ),
          )}
        </Content>
      </Portal>
    </Root>
  )
}
