import { Content, Portal, Root, Trigger } from '@radix-ui/react-popover'
import { Command } from 'cmdk'
import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { describeProfile } from '../../../shared/domain/profile-words.ts'
import { rankMatches } from '../../../shared/domain/rank-matches.ts'
import { capsInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** More than these nobody reads; the filter finds the others. */
const maxShown = 60
const filterFrom = 8

/** The profile of a launch, with how each one stands. */
export function ProfilePicker({ folder, selected }: { folder: string; selected: string }) {
  const profiles = useApp((state) => state.profiles) ?? []
  const { pickProfile } = useActions()
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const choices = profiles.filter(({ runnable, error, name }) => runnable || error !== null || name === selected)
  const found = rankMatches(choices, query, ({ name }) => name)
  const current = profiles.find(({ name }) => name === selected)
  const words = current && describeProfile(current)
  return (
    <Root
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        setQuery('')
      }}
    >
      <Trigger asChild>
        <button type="button" className="button picker">
          <span className="sr-only">Profile: </span>
          {words && <StateGlyph kind={words.kind} />}
          <span className="grow ellipsis">{selected}</span>
          {words && <span className="row-word">{words.word}</span>}
          <Icon of={ChevronDown} />
        </button>
      </Trigger>
      <Portal>
        <Content className="popover" align="start" sideOffset={4} collisionPadding={8} aria-label="Choose a profile">
          <Command shouldFilter={false} loop label="Profiles">
            <Command.Input
              className={choices.length >= filterFrom ? 'input' : 'sr-only'}
              placeholder="Filter"
              value={query}
              onValueChange={setQuery}
              aria-label="Filter profiles"
            />
            <Command.List className="command-list">
              {found.length === 0 && <p className="command-empty quiet">No profile is named so.</p>}
              {found.slice(0, maxShown).map((profile) => {
                const { kind, word } = describeProfile(profile)
                return (
                  <Command.Item
                    key={profile.name}
                    value={profile.name}
                    className="command-item two-lines"
                    onSelect={() => {
                      pickProfile(folder, profile.name)
                      setOpen(false)
                    }}
                  >
                    <StateGlyph kind={kind} />
                    <span className="grow">
                      <span className="command-text">
                        <span className="ellipsis">{profile.name}</span>
                        <span className="row-word">{word}</span>
                      </span>
                      <span className="command-sub quiet ellipsis">{capsInWords(profile.caps) || 'No limits of its own'}</span>
                    </span>
                    {profile.name === selected && <Icon of={Check} />}
                  </Command.Item>
                )
              })}
            </Command.List>
          </Command>
        </Content>
      </Portal>
    </Root>
  )
}
