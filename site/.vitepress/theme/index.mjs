// The theme of the site: that of VitePress with our colours.

import DefaultTheme from "vitepress/theme";
import "./style.css";

export default DefaultTheme;
