import { createElement, Suspense } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { lazyAhead } from './lazy-ahead.ts'

const Greeting = ({ name }: { name: string }) => createElement('p', null, `Hello ${name}`)
const draw = ({ Component }: ReturnType<typeof lazyAhead<{ name: string }>>) => renderToStaticMarkup(createElement(Suspense, { fallback: 'not yet' }, createElement(Component, { name: 'Mira' })))

test('what was loaded ahead is drawn at once', async () => {
  const greeting = lazyAhead(async () => ({ default: Greeting }))
  await greeting.load()
  expect(draw(greeting)).toBe('<p>Hello Mira</p>')
})

test('what was not is waited for', () => {
  expect(draw(lazyAhead(async () => ({ default: Greeting })))).toContain('not yet')
})
