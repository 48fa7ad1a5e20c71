<?php

namespace UbikChat;

/** The attributes of `<ubikchat>`. Editors choose the appearance only; the service is that of the configuration. */
class Attributes {

	private const LAYOUTS = [ 'inline', 'page', 'bubble', 'panel' ];
	private const THEMES = [ 'light', 'dark', 'auto' ];

	/** Longest text in characters. */
	private const MAX_TEXT = 2000;

	/**
	 * @param string[] $attributes Untrusted.
	 * @return array<string, string|string[]> What `place-chats.js` reads. Invalid values are left out.
	 */
	public static function sanitize( array $attributes ): array {
		$layout = $attributes['layout'] ?? '';
		$theme = $attributes['theme'] ?? '';
		$chat = [
			'layout' => in_array( $layout, self::LAYOUTS, true ) ? $layout : 'inline',
			'theme' => in_array( $theme, self::THEMES, true ) ? $theme : '',
			'height' => self::match( $attributes['height'] ?? '', '/^\d{1,5}(?:\.\d{1,3})?(?:px|em|rem|vh|svh|dvh)$/' ),
			'accent' => self::match( $attributes['accent'] ?? '', '/^#(?:[\da-f]{3}|[\da-f]{6})$/i' ),
			'greeting' => mb_substr( $attributes['greeting'] ?? '', 0, self::MAX_TEXT ),
			'aria-label' => mb_substr( $attributes['label'] ?? '', 0, self::MAX_TEXT ),
			'starters' => self::split( mb_substr( $attributes['starters'] ?? '', 0, self::MAX_TEXT ) ),
		];
		return array_filter( $chat, static fn ( $value ) => $value !== '' && $value !== [] );
	}

	private static function match( string $value, string $pattern ): string {
		return preg_match( $pattern, $value ) ? $value : '';
	}

	/**
	 * @param string $text Questions with `|` between them.
	 * @return string[] At most four.
	 */
	private static function split( string $text ): array {
		$questions = array_filter( array_map( 'trim', explode( '|', $text ) ), 'strlen' );
		return array_slice( array_values( $questions ), 0, 4 );
	}
}
