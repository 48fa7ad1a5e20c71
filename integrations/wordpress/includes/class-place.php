<?php
/**
 * The place of a chat in a page, and the shortcode.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** Renders the element into which the script of the page puts a chat. */
final class Place {

	/** Adds the shortcode. */
	public static function register() {
		add_shortcode( 'ubik_chat', array( self::class, 'render_shortcode' ) );
	}

	/**
	 * Renders the shortcode: `[ubik_chat layout="inline" height="30rem" greeting="Hello" starters="One?|Two?" accent="#0a7d55" theme="dark"]`.
	 *
	 * @param array<string, string>|string $attributes Written by an author.
	 * @return string HTML.
	 */
	public static function render_shortcode( $attributes ) {
		$attributes = shortcode_atts(
			array(
				'layout'   => 'inline',
				'height'   => '',
				'greeting' => '',
				'starters' => '',
				'accent'   => '',
				'theme'    => '',
			),
			$attributes,
			'ubik_chat'
		);
		// A shortcode is one line, so its questions are separated by `|`.
		$attributes['starters'] = str_replace( '|', "\n", $attributes['starters'] );
		return self::render( $attributes );
	}

	/**
	 * Renders the place of a chat and loads the scripts.
	 *
	 * @param array<string, mixed> $options Layout, height and so on. The settings replace an empty greeting, label, theme, accent or starters.
	 * @param string               $wrapper Further attributes of the element, escaped.
	 * @return string HTML, the same for every visitor.
	 */
	public static function render( $options, $wrapper = 'class="ubik-chat-place"' ) {
		$chat = self::chat( $options );
		Assets::enqueue( $chat['layout'] );
		return sprintf(
			'<div %s data-chat="%s"><noscript>%s</noscript></div>',
			$wrapper,
			// Without `&`, because `esc_attr` leaves entities such as `&quot;` as they are, which would end a string.
			esc_attr( wp_json_encode( $chat, JSON_HEX_AMP ) ),
			esc_html__( 'The chat needs JavaScript.', 'ubik-chat' )
		);
	}

	/**
	 * What `data-chat` contains: `place-chats.js` reads these names.
	 *
	 * @param array<string, mixed> $options Untrusted. In content, WordPress has replaced signs such as `&` by entities: in shortcodes that are
	 *                                      written in the visual editor, and in all content of authors without `unfiltered_html`.
	 * @return array<string, mixed>
	 */
	public static function chat( $options ) {
		$settings = Settings::all();
		$find     = static function ( $name ) use ( $options, $settings ) {
			$value = isset( $options[ $name ] ) && is_scalar( $options[ $name ] ) ? trim( html_entity_decode( (string) $options[ $name ], ENT_QUOTES | ENT_HTML5, 'UTF-8' ) ) : '';
			return '' === $value ? $settings[ $name ] : $value;
		};
		$chat     = array(
			'layout'     => Settings::choice( isset( $options['layout'] ) ? $options['layout'] : '', Settings::LAYOUTS ),
			'height'     => Settings::length( isset( $options['height'] ) ? $options['height'] : '' ),
			'greeting'   => Settings::sanitize_lines( $find( 'greeting' ) ),
			'aria-label' => sanitize_text_field( $find( 'label' ) ),
			'theme'      => Settings::choice( $find( 'theme' ), Settings::THEMES ),
			'accent'     => Settings::colour( $find( 'accent' ) ),
			'text'       => $settings['text'],
			'background' => $settings['background'],
		);
		$starters = Settings::starters( $find( 'starters' ) );
		if ( $starters ) {
			$chat['starters'] = $starters;
		}
		return array_filter(
			$chat,
			static function ( $value ) {
				return '' !== $value;
			}
		);
	}
}
