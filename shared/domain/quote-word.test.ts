import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { quoteWord } from './quote-word.ts'

it.each(['/usr/bin/x-1.2,3@a:b%+', '--label=dev.paddock.launch=1', '-it'])('leaves %s alone', (word) => {
  expect(quoteWord(word)).toBe(word)
})

it.each(['', ' ', 'a b', "it's", '$HOME', '`id`', 'A=b', '=ls', '~', '*', '#', 'ä', 'a\nb', '\\', '"', '!x', '{a,b}'])('a shell reads %j as it is', (word) => {
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${quoteWord(word)}`], { encoding: 'utf8' })).toBe(word)
  expect(quoteWord(word)).toMatch(/^'/)
})
