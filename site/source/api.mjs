// The pages of the API.

/** @returns {{ text: string, link: string }[]} */
export const apiSidebar = () => [];
