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
    notifications: {
      title: 'Notifications',
      lead: 'The mail server for e-mail notifications, and which addresses webhooks may use. People choose their notifications under My releases.',
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

  webhooks: {
    title: 'Webhooks',
    lead: 'Each chosen event is sent as a signed HTTP request. Requests that fail are repeated for a day.',
    what: 'the webhooks',
    loadFailed: "Couldn't load the webhooks",
    none: 'No webhooks',
    new: 'New webhook…',
    formTitle: { new: 'New webhook', edit: 'Edit webhook' },
    url: 'URL',
    events: 'Events',
    create: 'Create webhook',
    save: 'Save',
    createFailed: "Couldn't create the webhook",
    changeFailed: "Couldn't change the webhook",
    created: (url: string) => `Secret of ${url}`,
    secretHint: 'The receiver verifies signatures with it. Copy it now: it is not shown again.',
    rotate: 'New secret',
    rotatedHint:
      'Give it to the receiver within 24 hours: until then, the former secret also signs. It is not shown again.',
    test: 'Send test event',
    testQueued: 'The test event is being sent.',
    edit: 'Edit…',
    disable: 'Disable',
    enable: 'Enable',
    delete: 'Delete…',
    deleteNow: 'Delete now',
    /** Starts with the visible label, as WCAG 2.5.3 requires. */
    of: (action: string, url: string) => `${action}: ${url}`,
    waiting: (count: number) => (count === 1 ? '1 delivery is waiting.' : `${count} deliveries are waiting.`),
    states: {
      disabled: 'Disabled',
      unused: 'No finished deliveries yet',
      delivered: 'Last delivery succeeded',
      failed: 'Last delivery failed',
    },
  },

  deliveries: {
    show: 'Show deliveries',
    hide: 'Hide deliveries',
    title: (recipient: string) => `Deliveries: ${recipient}`,
    what: 'the deliveries',
    loadFailed: "Couldn't load the deliveries",
    none: 'No deliveries. They are kept for 30 days.',
    columns: {
      created: 'Created',
      event: 'Event',
      status: 'Status',
      attempts: 'Attempts',
      answer: 'Latest answer',
      duration: 'Duration',
    },
    statuses: { pending: 'pending', delivered: 'delivered', failed: 'failed' },
    next: 'next attempt',
    other: { 'webhook.test': 'Test event', 'mail.verify': 'Code' },
    to: (person: string) => ` to ${person}`,
    mail: 'E-mail',
    showMail: 'Show e-mail deliveries',
    hideMail: 'Hide e-mail deliveries',
    ms: (count: number) => `${count} ms`,
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
