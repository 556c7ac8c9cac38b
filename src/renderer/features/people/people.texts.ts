import type { Role } from '../../../shared/contracts/people.ts'
import { plural } from '../../lib/format.ts'

/** Every user-visible text of the People page. */
export const texts = {
  page: {
    title: 'People',
    list: 'The list of people',
    actions: { next: 'next person', previous: 'previous person', add: 'add a person…' },
  },

  list: {
    title: 'People',
    views: { label: 'Filter people', all: 'All', administrators: 'Administrators' },
    add: 'Add person…',
    search: 'Name, sign-in name or provider',
    loadFailed: "Couldn't load people",
    loading: 'the list of people',
    noMatches: (search: string) => `No people match “${search}”`,
    clearFilters: 'Clear filters',
  },

  row: {
    you: 'you',
    accessEnded: (date: string) => `access ended ${date}`,
    noAccess: 'no access',
    neverSeen: 'never seen',
  },

  add: {
    title: 'Add person',
    name: 'Name',
    subject: 'Sign-in name',
    role: 'Role',
    submit: 'Add',
    hint: 'Then create a sign-in link or a token for them.',
    failed: "Couldn't add the person",
    close: 'close',
  },

  person: {
    loading: 'the person',
    notFound: 'Person not found',
    loadFailed: "Couldn't load this person",
    facts: {
      id: (id: number) => `ID ${id}`,
      releases: (count: number) => plural(count, 'release'),
      added: (date: string) => `added ${date}`,
      accessEnded: (date: string) => `access ended ${date}`,
    },
    signInLink: 'Sign-in link…',
    remove: 'Remove…',
    role: 'Role',
    roleMeans: {
      developer: 'Publishes releases.',
      editor: 'Publishes releases, and manages the blog, the showcase and the media library.',
      reviewer: 'Publishes releases, and reviews and revokes those of everyone.',
      administrator: 'Does everything, including people, settings and services.',
    } satisfies Record<Role, string>,
    roleChanged: (role: Role) => `is now ${/^[ae]/.test(role) ? 'an' : 'a'} ${role}.`,
    roleFailed: "Couldn't change the role",
  },

  link: {
    failed: "Couldn't create the link",
    own: "This link signs you in. It won't be shown again.",
    title: (name: string) => `This link signs ${name} in. It won't be shown again.`,
    hint: (time: string, name: string) =>
      `It works once, until ${time}, in a browser on this computer or connected to it through SSH. Anyone who opens it is signed in as ${name}.`,
  },

  access: {
    title: (hasPasskeys: boolean) => (hasPasskeys ? 'Tokens, sessions and passkeys' : 'Tokens and sessions'),
    counts: (active: number, ended: number) => `${active} active, ${ended} ended`,
    newToken: 'New token…',
  },

  decisions: {
    label: 'Decisions',
    title: 'Recent decisions',
    none: 'No decisions yet.',
  },

  removal: {
    title: (name: string) => `Remove ${name}`,
    confirm: 'Remove',
    close: 'close',
    access: 'Tokens and sessions end immediately.',
    ownAccess: 'Your tokens and sessions end immediately: you will be signed out.',
    releases: (count: number) =>
      count === 0
        ? 'This person has no releases.'
        : count === 1
          ? '1 release and its name stay in the registry.'
          : `${plural(count, 'release')} and their names stay in the registry.`,
    decisions: "Past decisions still show this person's name.",
    done: 'no longer has access.',
    failed: "Couldn't remove the person",
  },

  providers: {
    title: 'Identity providers',
    loadFailed: "Couldn't load identity providers",
    /** Before, between and after the setting's name and the file's name. */
    none: [
      'None. Configure OpenID Connect providers under ',
      ' in ',
      ' in the data folder, then restart Skilldock.',
    ],
    administrators: (names: string) => `Administrators: ${names}`,
    reviewers: (names: string) => `Reviewers: ${names}`,
    editors: (names: string) => `Editors: ${names}`,
    test: 'Test',
    testFailed: (name: string) => `Couldn't test ${name}`,
    results: (name: string) => `Test results for ${name}`,
    passed: 'passed',
    failed: 'failed',
    summary: (failed: number) => (failed === 0 ? 'passed' : `${failed} failed`),
  },
} as const
