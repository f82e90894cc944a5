import { expect, it } from 'vitest'
import { isOpenableUrl, typedUrl } from './openable-url.ts'

it.each(['http://a', 'https://example.org/b?c#d', 'HTTPS://X'])('opens %s', (url) => {
  expect(isOpenableUrl(url)).toBe(true)
})

it.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://', 'https:///x', 'http:// x', ' http://a', 'data:text/html,x', '', 'http://localhost:99999', 'http://:80', 'http://localhost:3000/\nx'])('opens no %s', (url) => {
  expect(isOpenableUrl(url)).toBe(false)
})

it.each([
  ['example.org', 'https://example.org'],
  [' example.org:8443/a ', 'https://example.org:8443/a'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1/x', 'http://127.0.0.1/x'],
  ['[::1]:80', 'http://[::1]:80'],
  ['localhost.example.org', 'https://localhost.example.org'],
  ['http://example.org', 'http://example.org'],
])('takes %j for %s', (typed, url) => {
  expect(typedUrl(typed)).toBe(url)
})
