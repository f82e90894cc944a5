import { Content, Portal, Root, Trigger } from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { useFullScreen } from './use-full-screen.ts'

export { Provider as TooltipProvider } from '@radix-ui/react-tooltip'

/** Explains what it wraps, on hover and on focus. */
export function Tooltip({ text, side = 'bottom', children }: { text: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left'; children: ReactNode }) {
  const whole = useFullScreen()
  return (
    <Root>
      <Trigger asChild>{children}</Trigger>
      <Portal container={whole}>
        <Content className="tooltip" side={side} sideOffset={4} collisionPadding={8}>
          {text}
        </Content>
      </Portal>
    </Root>
  )
}
