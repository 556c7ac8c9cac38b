/** Every user-visible text of the Settings page. The labels and hints of the settings are in their declarations. */
export const texts = {
  page: {
    title: 'Settings',
    groups: 'Setting groups',
    group: 'This group',
    unsaved: 'unsaved',
    savedIn: 'Saved in',
    path: 'the path',
    loading: 'the settings',
    loadFailed: "Couldn't load the settings",
  },

  groups: {
    registry: { title: 'Registry', lead: 'Where the registry listens, and who can reach it.' },
    backups: {
      title: 'Backups',
      lead: 'Each backup is tested: restored into a temporary folder and verified.',
    },
    limits: { title: 'Limits', lead: 'How much one person, or everyone together, can use this server.' },
    desk: {
      title: 'Desk',
      lead: 'How decisions take effect, who may approve what, and where the desk is served.',
    },
    agents: { title: 'Agents', lead: 'The agent project that the dashboard shows.' },
    updates: { title: 'Updates', lead: 'Where the app looks for new versions.' },
    app: { title: 'This app', lead: 'On this computer only. Changes take effect immediately.' },
  },

  form: {
    templates: 'Review note templates',
    templatesHint: ' are shared by all desks.',
    saveFailed: "Couldn't save the settings",
    unsaved: (effect: string) => `Unsaved changes. Saving ${effect}`,
    noChanges: 'No unsaved changes.',
    discard: 'Discard changes',
    save: 'Save',
    actions: { save: 'save settings', discard: 'discard changes' },
    saved: (effect: string) => `Saved. ${effect}`,
    effects: {
      immediate: 'Changes are in effect.',
      listener: 'The registry restarted its listener.',
      restart: 'The new local services port takes effect after Skilldock restarts.',
    },
  },

  setting: {
    /** Before and after the name of the environment variable. */
    fixed: ['Set by ', ". It can't be changed here."],
    default: (value: string) => `Default: ${value}.`,
    inFile: 'Set in settings.json.',
    waiting: (current: string, next: string) =>
      `${next} takes effect after Skilldock restarts; ${current} is used until then.`,
    reset: 'Reset to default',
    /** Starts with the visible label, as WCAG 2.5.3 requires. */
    resetOf: (label: string) => `Reset to default: ${label}`,
    choose: 'Choose…',
    none: 'none',
    noUndo: 'no undo',
    seconds: (count: number) => `${count} s`,
  },

  effects: {
    'at once': 'takes effect immediately.',
    listener: 'takes effect immediately; the registry restarts its listener.',
    restart: 'takes effect after Skilldock restarts.',
    mixed:
      'takes effect immediately, except for the local services port, which takes effect after Skilldock restarts.',
  },

  app: {
    loadFailed: "Couldn't load the app's preferences",
    saveFailed: "Couldn't save the preference",
    startAtLogin: {
      label: 'Start at login',
      hint: 'Services start in the background, without a window.',
    },
    keepInTray: {
      label: 'Keep services running when the window is closed',
      hint: 'They run in the tray until you quit. Otherwise, Skilldock asks what to do when you close the window.',
    },
    notifySubmissions: {
      label: 'Notify about new submissions',
      hint: 'Submissions that arrive together are grouped into one notification.',
    },
    notifyCrashes: {
      label: 'Notify about crashed services',
      hint: 'Crashed services are restarted automatically.',
    },
    notifyBudgets: {
      label: 'Notify about agent alerts',
      hint: 'Crashed agents, budgets that reached their alert threshold, revoked modules and audit mismatches.',
    },
  },
} as const
